/** Which way up the picture is: always as the table was seen when the phone began, however the phone turns its page. */

/** How far the page is turned on the screen, in degrees clockwise: 0, 90, 180 or 270. */
export function pageAngle() {
  if (screen.orientation && typeof screen.orientation.angle === "number") return screen.orientation.angle;
  return typeof window.orientation === "number" ? (window.orientation + 360) % 360 : 0;
}

/**
 * By how many quarter turns clockwise a picture is to be turned back.
 * A browser turns what the camera gives along with its page; a phone that lies flat above a table turns its page by
 * mistake, and the table must not turn with it.
 * @param {number} now  angle of the page, degrees
 * @param {number} then  the same when the phone began
 * @param {number} more  quarter turns that the person asked for
 * @returns {0|1|2|3}
 */
export function quarterTurns(now, then, more) {
  return (((Math.round((now - then) / 90) + more) % 4) + 4) % 4;
}

/**
 * Size of the picture that is sent: the longer side is `longest` at most, nothing is made larger.
 * @returns {{width: number, height: number}}
 */
export function sizeOf(width, height, turns, longest) {
  const scale = Math.min(1, longest / Math.max(width, height));
  const [w, h] = [Math.max(2, Math.round(width * scale)), Math.max(2, Math.round(height * scale))];
  return turns % 2 ? { width: h, height: w } : { width: w, height: h };
}

/** Draw a video's picture, turned, over the whole canvas. */
export function drawTurned(canvas, video, turns, longest) {
  const size = sizeOf(video.videoWidth, video.videoHeight, turns, longest);
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
  const pen = canvas.getContext("2d", { alpha: false });
  pen.setTransform(1, 0, 0, 1, size.width / 2, size.height / 2);
  pen.rotate((turns * Math.PI) / 2);
  const [w, h] = turns % 2 ? [size.height, size.width] : [size.width, size.height];
  pen.drawImage(video, -w / 2, -h / 2, w, h);
}
