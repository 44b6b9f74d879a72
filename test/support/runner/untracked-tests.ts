import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before the tests: keeps node:test from following each promise and timer to the test that began it, which takes
// a tenth of a run. It does so only to name the test of an error that nothing catches. Without it the error fails the
// file, and is printed here. Should node:test create its hook elsewhere, tests are slower again; nothing else changes.

const { createHook } = asyncHooks

asyncHooks.createHook = (callbacks) =>
  createHook(new Error().stack?.includes('internal/test_runner/harness') ? {} : callbacks)
syncBuiltinESMExports()

process.on('uncaughtExceptionMonitor', (error) => console.error(error))
process.on('unhandledRejection', (error) => console.error(error))
