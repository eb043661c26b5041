"""Clean text that came through mail, a web page, a word processor or an editor, before it is read."""
