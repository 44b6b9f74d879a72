import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'

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
  /** As the import spells it: `./order.ts`, `#shared/orders/order.ts` or `koa`. */
  spelling: string
  /** A file of the project by its path, else the name of a package. */
  target: string
}

/** The imports of files, of types as well. */
export const importsOf = (files: readonly SourceFile[]): Import[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target = '']) => ({
      file: path,
      spelling: target,
      target: resolveImport(path, target),
    })),
  )

/** How an import is spelled: `./` for a file of the same folder, `#` and the path for any other file of the project. */
export function spellingOf({ file, spelling, target }: Import): string {
  if (!/^[.#]/.test(spelling)) return spelling
  return dirname(file) === dirname(target) ? `./${basename(target)}` : `#${target}`
}

function resolveImport(file: string, target: string): string {
  if (target.startsWith('.')) return normalize(join(dirname(file), target))
  return target.startsWith('#') ? target.slice(1) : target
}
