import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

export interface SourceFile {
  /** From the project's root: `shared/orders/order.ts`. */
  path: string
  text: string
}

/** The TypeScript files below a folder. */
export async function readSources(folder: string): Promise<SourceFile[]> {
  const paths = (await Array.fromAsync(glob(`${folder}/**/*.ts`))).sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })))
}

export interface Import {
  file: string
  /** A file of the project by its path, else the name of a package. */
  target: string
}

/** The imports of files, of types as well. */
export const importsOf = (files: readonly SourceFile[]): Import[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) => ({
      file: path,
      target: resolveImport(path, target),
    })),
  )

function resolveImport(file: string, target: string): string {
  if (target.startsWith('.')) return normalize(join(dirname(file), target))
  return target.startsWith('#') ? target.slice(1) : target
}
