import { PerformanceObserver } from 'node:perf_hooks'
import { Gauge } from 'prom-client'

// Loaded into a process before its own modules (`node --import`): measures how long its event loop computes without a
// turn for anybody else. Processor time of the thread, not time: other processes of the machine do not count.

const EVERY_MS = 10
const MICROSECONDS = 1_000_000

let longest = 0
let before = process.threadCpuUsage()

setInterval(() => {
  const now = process.threadCpuUsage()
  longest = Math.max(longest, now.user + now.system - before.user - before.system)
  before = now
}, EVERY_MS).unref()

new Gauge({
  name: 'test_loop_blocked_max_seconds',
  help: 'The longest processor time between two turns of the event loop since the last scrape',
  collect() {
    this.set(longest / MICROSECONDS)
    longest = 0
  },
})

let longestPause = 0

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestPause = Math.max(longestPause, duration)
}).observe({ entryTypes: ['gc'] })

new Gauge({
  name: 'test_gc_pause_max_seconds',
  help: 'The longest pause for garbage collection since the last scrape: a part of the blocked time',
  collect() {
    this.set(longestPause / 1_000)
    longestPause = 0
  },
})
