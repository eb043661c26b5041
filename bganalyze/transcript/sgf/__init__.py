"""Smart Game Format."""
