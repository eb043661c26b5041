"""What people and programs use: the functions of the library, the commands, the page, and what they show."""
