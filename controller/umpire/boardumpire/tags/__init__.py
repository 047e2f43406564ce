"""Who is who, where the pieces carry tags."""
