"""Reader of Smart Game Format."""
