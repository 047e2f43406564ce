"""What Boardumpire costs, as ratios with known yardsticks measured in the same process."""
