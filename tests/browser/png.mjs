// Pictures of the page as pixels.
import { PNG } from "pngjs";

/** {width, height, data, at(x, y) -> [red, green, blue]} of a PNG; `data` is four bytes a pixel. */
export function decodePng(file) {
    const { width, height, data } = PNG.sync.read(file);
    const at = (x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
    return { width, height, data, at };
}

/** A picture as the bytes of a PNG. */
export function encodePng({ width, height, data }) {
    const picture = new PNG({ width, height });
    data.copy(picture.data);
    return PNG.sync.write(picture, { colorType: 2 });
}

/** The largest difference of a channel. */
export function distance(a, b) {
    return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
}

/**
 * The share of pixels, 0 to 1, whose colour differs visibly. One picture drawn twice by the same software
 * renderer is the same to the bit; a step of 16 in 255 leaves room for a graphics card whose smoothed edges
 * come out a little differently, and is far below the step between any two colours of the bars.
 */
export function differingShare(a, b) {
    if (a.width !== b.width || a.height !== b.height) return 1;
    let count = 0;
    for (let y = 0; y < a.height; y++) {
        for (let x = 0; x < a.width; x++) {
            if (distance(a.at(x, y), b.at(x, y)) > 16) count++;
        }
    }
    return count / (a.width * a.height);
}

/** How many pixels are clearly red, or clearly green: greys, and the blue of buttons and links, are neither. */
export function countHues(picture) {
    const hues = { red: 0, green: 0 };
    for (let y = 0; y < picture.height; y++) {
        for (let x = 0; x < picture.width; x++) {
            const [red, green, blue] = picture.at(x, y);
            if (Math.max(red, green, blue) - Math.min(red, green, blue) < 50) continue;
            if (red > green + 40 && red > blue + 40) hues.red++;
            if (green > red + 40 && green > blue + 10) hues.green++;
        }
    }
    return hues;
}
