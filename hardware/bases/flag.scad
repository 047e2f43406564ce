// flag: made by `boardumpire make bases`. Lengths in mm.
// NO MAGNET: a sensor must never feel it.
$fn = 96;
difference() {
  cylinder(d = 14, h = 5);
  // the face
  translate([-4, -0.6, 2.5]) cube([8, 1.2, 2.6]);
  // no magnet
  rotate(45) translate([-4.2, -0.6, -0.1]) cube([8.4, 1.2, 0.7]);
  rotate(-45) translate([-4.2, -0.6, -0.1]) cube([8.4, 1.2, 0.7]);
}
