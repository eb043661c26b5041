"""A store of matches: what many files hold, as Parquet that is read instead of them.

A store is a folder. Rows lie in shards, each a folder of Parquet files that is written once and
never changed; `manifest.db` says which shards there are and which of their rows belong to a file
that is still there. What is not in the manifest does not count: a shard is written beside, renamed,
and then entered in one transaction, so that a run may be killed at any moment.
"""
