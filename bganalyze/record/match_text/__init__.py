"""Match text in two columns: `.mat` and its relatives."""
