// What goes up is filled up to one length: over an encrypted line the length of a word would tell which it is.

const SIZE = 1024; // `boardumpire.web.limits.FRAME`

/**
 * A message as JSON of a multiple of `SIZE` bytes.
 * @param {import("../../../../../tests/scripts/wire.js").Message} message
 */
export function sized(message) {
  const bare = ascii({ ...message, pad: "" }).length;
  return ascii({ ...message, pad: " ".repeat((SIZE - (bare % SIZE)) % SIZE) });
}

/** One byte a character, so that what is counted is what is sent. */
function ascii(value) {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
