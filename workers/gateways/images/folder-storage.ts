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
      // Rename the finished file, so that a web process never sends half of it.
      const unfinished = `${path}.${randomUUID()}`
      await writeFile(unfinished, bytes, { signal })
      await rename(unfinished, path)
    },
    async remove(keys) {
      const imageFolders = new Set(keys.map((key) => dirname(pathOf(key))))
      for (const imageFolder of imageFolders) await rm(imageFolder, { recursive: true, force: true })
    },
  }
}
