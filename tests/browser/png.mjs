// Pictures of the page as pixels. Screenshots are PNGs of 8 bits a channel without interlacing, so a decoder
// for just these is enough.
import { inflateSync } from "node:zlib";

/** {width, height, at(x, y) -> [red, green, blue]} of a PNG. */
export function decodePng(file) {
    const width = file.readUInt32BE(16);
    const height = file.readUInt32BE(20);
    const [depth, type, , , interlace] = file.subarray(24, 29);
    const channels = { 2: 3, 6: 4 }[type];
    if (depth !== 8 || !channels || interlace !== 0) throw new Error(`a PNG of another kind: ${depth}, ${type}`);
    const parts = [];
    for (let at = 8; at < file.length; ) {
        const length = file.readUInt32BE(at);
        if (file.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(file.subarray(at + 8, at + 8 + length));
        at += length + 12;
    }
    const data = inflateSync(Buffer.concat(parts));
    const stride = width * channels;
    const pixels = Buffer.alloc(stride * height);
    for (let y = 0; y < height; y++) {
        const filter = data[y * (stride + 1)];
        for (let x = 0; x < stride; x++) {
            const left = x >= channels ? pixels[y * stride + x - channels] : 0;
            const up = y > 0 ? pixels[(y - 1) * stride + x] : 0;
            const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels] : 0;
            const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
            pixels[y * stride + x] = data[y * (stride + 1) + 1 + x] + guess;
        }
    }
    const at = (x, y) => {
        const start = y * stride + x * channels;
        return [pixels[start], pixels[start + 1], pixels[start + 2]];
    };
    return { width, height, at };
}

function paeth(left, up, corner) {
    const guess = left + up - corner;
    const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
    if (a <= b && a <= c) return left;
    return b <= c ? up : corner;
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
