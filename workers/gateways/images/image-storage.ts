/** Where the files of images are: a folder of this machine, or an S3-compatible bucket. */
export interface ImageStorage {
  /** Saves a file whole or not at all. A repeated call replaces it by the same bytes. */
  put(key: string, bytes: Buffer, signal: AbortSignal): Promise<void>
  /** Removes files. One that does not exist is no error. */
  remove(keys: string[], signal: AbortSignal): Promise<void>
}
