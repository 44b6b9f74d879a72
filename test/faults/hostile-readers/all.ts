import type { Reader } from '../growth.ts'
import { BODIES } from './bodies.ts'
import { CATALOG } from './catalog.ts'
import { FILES } from './files.ts'
import { HEADERS, QUERIES } from './headers.ts'
import { IMAGE_READERS } from './images.ts'
import { MONEY } from './money.ts'
import { PLANS } from './plans.ts'
import { NAMES, TEXTS } from './texts.ts'

/** The functions that read what callers send, each with hostile inputs. */
export const HOSTILE_READERS: readonly Reader[] = [
  ...HEADERS,
  ...QUERIES,
  ...BODIES,
  ...TEXTS,
  ...NAMES,
  ...FILES,
  ...CATALOG,
  ...PLANS,
  ...MONEY,
  ...IMAGE_READERS,
]
