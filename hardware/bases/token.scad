// token: made by `boardumpire make bases`. Lengths in mm.
// NO MAGNET: a sensor must never feel it.
$fn = 96;
difference() {
  cylinder(d = 18, h = 5);
  // no magnet
  rotate(45) translate([-5.4, -0.6, -0.1]) cube([10.8, 1.2, 0.7]);
  rotate(-45) translate([-5.4, -0.6, -0.1]) cube([10.8, 1.2, 0.7]);
}
