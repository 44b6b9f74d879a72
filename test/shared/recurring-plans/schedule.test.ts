import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import {
  chargeDate,
  DURATION_UNITS,
  type DurationUnit,
  hoursOf,
  isTrialCharge,
  nextPosition,
  type Schedule,
} from '#shared/recurring-plans/schedule.ts'

const every = (duration: number, durationUnit: DurationUnit, trial: Schedule['trial'] = null): Schedule => ({
  duration,
  durationUnit,
  cycle: 0,
  trial,
})

const datesOf = (schedule: Schedule, start: string, timeZone: string, count: number): string[] =>
  Array.from({ length: count }, (_, position) =>
    chargeDate(schedule, new Date(start), position, timeZone).toISOString().replace(':00.000Z', 'Z'),
  )

const DATES: { name: string; schedule: Schedule; zone?: string; dates: string[] }[] = [
  {
    name: 'every day',
    schedule: every(1, 'day'),
    dates: ['2026-02-27T10:00Z', '2026-02-28T10:00Z', '2026-03-01T10:00Z'],
  },
  {
    name: 'every second week',
    schedule: every(2, 'week'),
    dates: ['2026-12-24T10:00Z', '2027-01-07T10:00Z', '2027-01-21T10:00Z'],
  },
  {
    name: 'every month from the 31st: clamped, without losing the day',
    schedule: every(1, 'month'),
    dates: [
      '2027-01-31T10:00Z',
      '2027-02-28T10:00Z',
      '2027-03-31T10:00Z',
      '2027-04-30T10:00Z',
      '2027-05-31T10:00Z',
    ],
  },
  {
    name: 'every month from the 30th through the February of a leap year',
    schedule: every(1, 'month'),
    dates: ['2028-01-30T10:00Z', '2028-02-29T10:00Z', '2028-03-30T10:00Z'],
  },
  {
    name: 'every quarter',
    schedule: every(3, 'month'),
    dates: ['2026-11-30T10:00Z', '2027-02-28T10:00Z', '2027-05-30T10:00Z'],
  },
  {
    name: 'every year from 29 February',
    schedule: every(1, 'year'),
    dates: [
      '2028-02-29T10:00Z',
      '2029-02-28T10:00Z',
      '2030-02-28T10:00Z',
      '2031-02-28T10:00Z',
      '2032-02-29T10:00Z',
    ],
  },
  {
    name: 'twice a month from the 1st: the 1st and the 15th',
    schedule: every(1, 'semi_month'),
    dates: ['2027-01-01T10:00Z', '2027-01-15T10:00Z', '2027-02-01T10:00Z', '2027-02-15T10:00Z'],
  },
  {
    name: 'twice a month from the 15th: the 15th and the 1st',
    schedule: every(1, 'semi_month'),
    dates: ['2026-12-15T10:00Z', '2027-01-01T10:00Z', '2027-01-15T10:00Z'],
  },
  {
    name: 'twice a month from the 14th: 15 days on, clamped in February',
    schedule: every(1, 'semi_month'),
    dates: [
      '2027-01-14T10:00Z',
      '2027-01-29T10:00Z',
      '2027-02-14T10:00Z',
      '2027-02-28T10:00Z',
      '2027-03-14T10:00Z',
    ],
  },
  {
    name: 'twice a month from the 31st: the 16th and the end of the month',
    schedule: every(1, 'semi_month'),
    dates: [
      '2027-01-31T10:00Z',
      '2027-02-16T10:00Z',
      '2027-02-28T10:00Z',
      '2027-03-16T10:00Z',
      '2027-03-31T10:00Z',
    ],
  },
  {
    name: 'every second half-month is every month',
    schedule: every(2, 'semi_month'),
    dates: ['2027-01-31T10:00Z', '2027-02-28T10:00Z', '2027-03-31T10:00Z'],
  },
  {
    name: 'summer time begins and ends: the same hour in Berlin',
    zone: 'Europe/Berlin',
    schedule: every(1, 'month'),
    dates: ['2026-09-30T08:00Z', '2026-10-30T09:00Z', '2026-11-30T09:00Z'],
  },
  {
    name: 'every day over the night in which the clock goes forward: a missing hour becomes the next hour',
    zone: 'Europe/Berlin',
    schedule: every(1, 'day'),
    dates: ['2027-03-27T01:30Z', '2027-03-28T01:30Z', '2027-03-29T00:30Z'],
  },
  {
    name: 'every day over the night in which the clock goes back: of a repeated hour, the first counts',
    zone: 'Europe/Berlin',
    schedule: every(1, 'day'),
    dates: ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  },
  {
    name: 'a date belongs to the day of the store: 23:30 UTC on 31 January is 1 February in Berlin',
    zone: 'Europe/Berlin',
    schedule: every(1, 'month'),
    dates: ['2027-01-31T23:30Z', '2027-02-28T23:30Z', '2027-03-31T22:30Z'],
  },
  {
    name: 'after a trial of a week, every month from its end',
    schedule: every(1, 'month', { duration: 1, durationUnit: 'week', cycle: 1 }),
    dates: ['2027-01-24T10:00Z', '2027-01-31T10:00Z', '2027-02-28T10:00Z', '2027-03-31T10:00Z'],
  },
  {
    name: 'three charges of the trial, then a year',
    schedule: every(1, 'year', { duration: 1, durationUnit: 'month', cycle: 3 }),
    dates: [
      '2026-11-30T10:00Z',
      '2026-12-30T10:00Z',
      '2027-01-30T10:00Z',
      '2027-02-28T10:00Z',
      '2028-02-28T10:00Z',
    ],
  },
]

for (const { name, schedule, zone = 'UTC', dates } of DATES)
  test(`dates of charges: ${name}`, () => {
    assert.deepEqual(datesOf(schedule, dates[0] ?? '', zone, dates.length), dates)
  })

const [SHORTER, EQUAL, LONGER] = [-1, 0, 1]

const COMPARED: [first: [number, DurationUnit], sign: number, second: [number, DurationUnit]][] = [
  [[7, 'day'], EQUAL, [1, 'week']],
  [[28, 'day'], EQUAL, [4, 'week']],
  [[365, 'day'], EQUAL, [1, 'year']],
  [[2, 'semi_month'], EQUAL, [1, 'month']],
  [[24, 'semi_month'], EQUAL, [1, 'year']],
  [[12, 'month'], EQUAL, [1, 'year']],
  [[6, 'day'], SHORTER, [1, 'week']],
  [[15, 'day'], SHORTER, [1, 'semi_month']],
  [[16, 'day'], LONGER, [1, 'semi_month']],
  [[30, 'day'], SHORTER, [1, 'month']],
  [[31, 'day'], LONGER, [1, 'month']],
  [[4, 'week'], SHORTER, [1, 'month']],
  [[52, 'week'], SHORTER, [1, 'year']],
  [[53, 'week'], LONGER, [1, 'year']],
]

for (const [first, sign, second] of COMPARED)
  test(`${first.join(' × ')} is ${['shorter than', 'as long as', 'longer than'][sign + 1]} ${second.join(' × ')}`, () => {
    assert.equal(Math.sign(hoursOf(every(...first)) - hoursOf(every(...second))), sign)
  })

test('the charges of a trial come first', () => {
  const schedule = every(1, 'year', { duration: 1, durationUnit: 'month', cycle: 2 })
  assert.deepEqual(
    [0, 1, 2].map((position) => isTrialCharge(schedule, position)),
    [true, true, false],
  )
  assert.equal(isTrialCharge(every(1, 'month'), 0), false)
})

const drawnPeriod = fc.record({
  duration: fc.integer({ min: 1, max: 30 }),
  durationUnit: fc.constantFrom(...DURATION_UNITS),
})
const drawnSchedule = fc.record({
  duration: fc.integer({ min: 1, max: 30 }),
  durationUnit: fc.constantFrom(...DURATION_UNITS),
  cycle: fc.constant(0),
  trial: fc.option(
    fc.tuple(drawnPeriod, fc.integer({ min: 1, max: 4 })).map(([period, cycle]) => ({ ...period, cycle })),
  ),
})
const drawnStart = fc.date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
const drawnZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Tokyo',
)

test('in any schedule, each charge is at least 12 hours after the previous one', () => {
  fc.assert(
    fc.property(drawnSchedule, drawnStart, drawnZone, (schedule, start, zone) => {
      assert.equal(chargeDate(schedule, start, 0, zone).getTime(), start.getTime())
      for (let position = 1; position < 8; position++) {
        const [before, at] = [position - 1, position].map((each) => chargeDate(schedule, start, each, zone))
        assert.ok(
          Number(at) - Number(before) >= 12 * HOUR_MS,
          `${before?.toISOString()} ${at?.toISOString()}`,
        )
      }
    }),
  )
})

test('the next position of any schedule is the first one that is due after a time', () => {
  const drawnTime = fc.date({ min: new Date('2024-01-01'), max: new Date('2036-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(drawnSchedule, drawnStart, drawnZone, drawnTime, (schedule, start, timeZone, time) => {
      const found = nextPosition(schedule, start, { position: 2, time, timeZone })
      assert.ok(found >= 2)
      assert.ok(chargeDate(schedule, start, found, timeZone) > time)
      if (found > 2) assert.ok(chargeDate(schedule, start, found - 1, timeZone) <= time)
    }),
  )
})
