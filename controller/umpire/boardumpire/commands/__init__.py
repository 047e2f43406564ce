"""What the `boardumpire` command does, a module a subcommand."""
