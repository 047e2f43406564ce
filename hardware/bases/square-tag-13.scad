// square-tag-13: made by `boardumpire make bases`. Lengths in mm.
// Tag of 13 mm, below.
$fn = 96;
difference() {
  cylinder(d = 32, h = 6);
  // the tag
  translate([0, 0, -0.1]) cylinder(d = 13.3, h = 1.3);
  // the face
  translate([-11, -0.8, 3.5]) cube([22, 1.6, 2.6]);
}
