import { Gauge, Histogram } from 'prom-client'

export const jobSeconds = new Histogram({
  name: 'job_seconds',
  help: 'Time to run a job in this process, by queue and outcome (done, failed)',
  labelNames: ['queue', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
})

export const jobsRunning = new Gauge({
  name: 'jobs_running',
  help: 'Jobs that this process runs now, by queue',
  labelNames: ['queue'],
})
