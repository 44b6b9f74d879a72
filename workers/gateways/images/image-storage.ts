/** The storage of image files: a folder of this machine, or an S3-compatible bucket. */
export interface ImageStorage {
  /** Saves a file completely or not at all. A repeat replaces it by the same bytes. */
  put(key: string, bytes: Buffer, signal: AbortSignal): Promise<void>
  /** Removes files. A missing file is no error. */
  remove(keys: string[], signal: AbortSignal): Promise<void>
}
