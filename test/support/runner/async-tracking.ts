import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before node:test, which follows each promise and timer to the test that began it. So it finds the suite of a
// test or hook that is defined in asynchronous code, and the test of an error that nothing catches. It takes a tenth of
// a run.

const { createHook } = asyncHooks
let ofTests: AsyncHook | undefined

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  if (new Error().stack?.includes('internal/test_runner/harness')) ofTests = hook
  return hook
}
syncBuiltinESMExports()

/**
 * Ends the tracking of this process. Call it once all tests are defined. From then on a test adds hooks by its own
 * `t.after`: those by the global `after` run at the end of the process. An error that nothing catches is printed and
 * fails the process. Its test does not fail, and goes on waiting.
 */
export function endTracking(): void {
  // Should node:test create its hook elsewhere, tests are slower again; nothing else changes.
  ofTests?.disable()
  process.on('uncaughtExceptionMonitor', (error) => console.error(error))
  process.on('unhandledRejection', (error) => console.error(error))
}
