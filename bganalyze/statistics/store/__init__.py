"""A store of matches: the content of many files as Parquet, which is read instead of the files.

A store is a folder. Rows are in shards, each a folder of Parquet files that is written once and
never changed. `manifest.db` lists the shards, and which of their rows belong to an existing file.
Only entries of the manifest count: a shard is written under another name, renamed, and then entered
in one transaction, so a run may be killed at any moment.
"""
