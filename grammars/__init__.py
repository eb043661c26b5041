"""The Lark grammars of the text formats, one file each."""
