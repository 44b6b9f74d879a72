import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ImageStorage } from './image-storage.ts'

/** Saves images in a folder, which the web processes of the same machine serve. */
export function folderStorage(folder: string): ImageStorage {
  const pathOf = (key: string) => resolve(folder, key)
  return {
    async put(key, bytes, signal) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true })
      // A web process must not send half a file.
      const unfinished = `${path}.${randomUUID()}`
      await writeFile(unfinished, bytes, { signal })
      await rename(unfinished, path)
    },
    async remove(keys) {
      const folders = new Set(keys.map((key) => dirname(pathOf(key))))
      for (const one of folders) await rm(one, { recursive: true, force: true })
    },
  }
}
