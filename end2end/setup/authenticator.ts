// What an authenticator app shows (RFC 6238), from the secret that its person typed in.
import { createHmac } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytes(base32: string): Buffer {
  let bits = "";
  for (const letter of base32.replace(/\s/g, "")) bits += LETTERS.indexOf(letter).toString(2).padStart(5, "0");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** The code of the time step that lies `ahead` of the one now. */
export function code(base32: string, ahead = 0): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac("sha1", bytes(base32)).update(step).digest();
  const at = digest[digest.length - 1]! & 0xf;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
