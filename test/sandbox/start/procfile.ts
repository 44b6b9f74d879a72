import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../Procfile')

/** A process's arguments for Node, and its environment. */
export interface Command {
  args: string[]
  env: Record<string, string>
}

/**
 * The Procfile's command of a process, so that the sandbox, the benchmark and the fault tests start it as in
 * production.
 */
export function commandOf(name: 'web' | 'worker' | 'money'): Command {
  const [, line] = new RegExp(`^${name}: (.+)$`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  const words = line?.split(' ') ?? []
  const node = words.indexOf('node')
  if (node < 0) throw new Error(`The Procfile starts no ${name} with node`)
  return {
    args: words.slice(node + 1),
    env: Object.fromEntries(words.slice(0, node).map((word) => word.split('=', 2))),
  }
}
