const MAX_PIECES = 1_000
/** A long body may come in more pieces if they have this many bytes on average. */
const PIECE_BYTES = 64

/** Whether the pieces of a body cost far more processor time than its bytes: each takes some microseconds. */
export const areTinyPieces = (pieces: number, bytes: number): boolean =>
  pieces > MAX_PIECES + bytes / PIECE_BYTES
