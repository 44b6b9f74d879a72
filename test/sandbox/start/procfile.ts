import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../Procfile')

/** How a process is started: what Node is given, and what stands in its environment. */
export interface Command {
  args: string[]
  env: Record<string, string>
}

/** What the Procfile says of a process: what is tried and measured here is started as in production. */
export function commandOf(name: 'web' | 'worker'): Command {
  const [, line] = new RegExp(`^${name}: (.+)$`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  const words = line?.split(' ') ?? []
  const node = words.indexOf('node')
  if (node < 0) throw new Error(`The Procfile starts no ${name} with node`)
  return {
    args: words.slice(node + 1),
    env: Object.fromEntries(words.slice(0, node).map((word) => word.split('=', 2))),
  }
}
