import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NextSchedule, nextSchedule } from '#shared/subscriptions/next-schedule.ts'

const WEEKLY = {
  nameI18n: { en: 'Weekly' },
  duration: 1,
  durationUnit: 'week',
  cycle: 0,
  trial: null,
} as const

interface Case {
  position: number
  time: string
  skipMissed: boolean
  /** Default: `time`. */
  notBefore?: string
}

/** The next schedule of a weekly subscription that started on 1 March 2027 at 10:00. */
const scheduleOf = ({ position, time, skipMissed, notBefore = time }: Case): NextSchedule =>
  nextSchedule(
    { terms: WEEKLY, scheduleFrom: new Date('2027-03-01T10:00Z'), position },
    { time: new Date(time), timeZone: 'UTC', skipMissed, notBefore: new Date(notBefore) },
  )

const CASES: Record<string, [Case, { position: number; next: string; due: string }]> = {
  'a date to come is the time of its charge': [
    { position: 1, time: '2027-03-02T10:00Z', skipMissed: false },
    { position: 1, next: '2027-03-08T10:00Z', due: '2027-03-08T10:00Z' },
  ],
  'an overdue charge is made immediately': [
    { position: 1, time: '2027-03-10T12:00Z', skipMissed: false },
    { position: 1, next: '2027-03-08T10:00Z', due: '2027-03-10T12:00Z' },
  ],
  'an overdue charge waits for the earliest time': [
    { position: 1, time: '2027-03-10T12:00Z', skipMissed: false, notBefore: '2027-03-11T12:00Z' },
    { position: 1, next: '2027-03-08T10:00Z', due: '2027-03-11T12:00Z' },
  ],
  'a date to come stays, though the earliest time of overdue charges is later': [
    { position: 1, time: '2027-03-08T09:00Z', skipMissed: false, notBefore: '2027-03-09T09:00Z' },
    { position: 1, next: '2027-03-08T10:00Z', due: '2027-03-08T10:00Z' },
  ],
  'an overdue date after the earliest time stays': [
    { position: 1, time: '2027-03-10T12:00Z', skipMissed: false, notBefore: '2027-03-08T09:00Z' },
    { position: 1, next: '2027-03-08T10:00Z', due: '2027-03-08T10:00Z' },
  ],
  'missed dates are skipped on request': [
    { position: 1, time: '2027-03-16T12:00Z', skipMissed: true },
    { position: 3, next: '2027-03-22T10:00Z', due: '2027-03-22T10:00Z' },
  ],
}

for (const [name, [given, { position, next, due }]] of Object.entries(CASES))
  test(name, () => {
    assert.deepEqual(scheduleOf(given), { position, nextChargeAt: new Date(next), dueAt: new Date(due) })
  })
