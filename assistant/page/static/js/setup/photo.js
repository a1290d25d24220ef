/** A photograph from this phone, made small enough to be sent: the cards in it stay large enough to be read. */

const LONGEST = 2400; // pixels
const QUALITY = 0.9;

/**
 * @param {File} file
 * @returns {Promise<Blob>} a JPEG; the file itself where this browser cannot make one
 */
export async function smaller(file) {
  const picture = await opened(file);
  const width = picture.width || picture.naturalWidth;
  const height = picture.height || picture.naturalHeight;
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob || file), "image/jpeg", QUALITY));
}

/** The picture, turned as it was taken. */
function opened(file) {
  return new Promise((resolve, reject) => {
    const img = new Image();
    const url = URL.createObjectURL(file);
    img.onload = () => {
      URL.revokeObjectURL(url);
      resolve(img);
    };
    img.onerror = () => {
      URL.revokeObjectURL(url);
      reject(new Error("picture"));
    };
    img.src = url;
  });
}
