import { spawn } from 'node:child_process'
import { once } from 'node:events'

// `npm run fuzz [requests] [seed]`: random requests, by default 100,000, to a web process on a database of its own.
const [requests = '100000', seed = '1'] = process.argv.slice(2)
const env = { ...process.env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed }
const files = ['test/support/runner/run.ts', 'test/faults/any-request.test.ts']
const [code] = await once(spawn(process.execPath, files, { env, stdio: 'inherit' }), 'exit')
process.exit(code ?? 1)
