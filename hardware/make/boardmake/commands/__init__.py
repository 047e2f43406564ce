"""The commands `boardumpire board` and `boardumpire make`."""
