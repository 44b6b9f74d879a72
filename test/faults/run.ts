import './silence-log.ts'
import { type ChargeKillReport, runChargeKills } from './charge-kill-run.ts'
import { type KillReport, runKills } from './kill-run.ts'
import { runHistories } from './run-histories.ts'
import { runStops, type StopReport } from './stop-run.ts'

// `npm run faults [refund kills] [stops] [histories] [charge kills]`: the long run of the fault tests, by default 1,000
// workers killed at refunds and 1,000 at charges of saved cards, 10 stopped databases and 2,000 random histories. 0
// leaves a part out. Each part prints its counts when it ends, so that a run that is cut short shows what it found.
const [refundKills = 1_000, stops = 10, histories = 2_000, chargeKills = refundKills] = process.argv
  .slice(2)
  .map(Number)

const failed: string[] = []
if (refundKills) await killAtRefunds(refundKills)
if (stops) await stopDatabases(stops)
if (histories && !(await runHistories(histories))) failed.push('random histories')
if (chargeKills) await killAtCharges(chargeKills)
console.log(
  failed.length
    ? `FAILED: ${failed.join('; ')}`
    : 'No refund and no charge was made twice, no acknowledged order was lost, and all books agree.',
)
process.exit(failed.length ? 1 : 0)

async function killAtRefunds(kills: number): Promise<void> {
  const killed = await runKills({ kills, onKill: progress('Workers killed at refunds', kills) })
  const control = await runKills({ kills: 9, ignoreIdempotencyKeys: true })
  console.table({
    'refunds, with keys': describeKills(killed),
    'control, without keys': describeKills(control),
  })
  const { doubled, missing, wrongTotals, unsettled, wronglyPublished, lostEvents, discrepancies } = killed
  expectNone('refunds', {
    doubled,
    missing,
    wrongTotals,
    unsettled,
    wronglyPublished,
    lostEvents,
    discrepancies,
  })
  expectDoubled('refunds', control)
}

async function killAtCharges(kills: number): Promise<void> {
  const killed = await runChargeKills({ kills, onKill: progress('Workers killed at charges', kills) })
  const control = await runChargeKills({ kills: 6, ignoreIdempotencyKeys: true })
  console.table({
    'charges, with keys': describeKills(killed),
    'control, without keys': describeKills(control),
  })
  const { doubled, forgotten, afterCancel, wrongTotals, discrepancies } = killed
  expectNone('charges', { doubled, forgotten, afterCancel, wrongTotals, discrepancies })
  expectDoubled('charges', control)
}

async function stopDatabases(count: number): Promise<void> {
  const stopped = await runStops({ stops: count, onStop: progress('Databases stopped', count) })
  console.table({ 'database stopped immediately': describeStops(stopped) })
  const { lost, doubled, unpublished, discrepancies, processesSurvived } = stopped
  expectNone('stopped databases', { lost, doubled, unpublished, discrepancies })
  if (!processesSurvived) failed.push('stopped databases: a process ended')
}

function expectNone(part: string, counted: Record<string, number>): void {
  for (const [what, count] of Object.entries(counted)) if (count) failed.push(`${part}: ${count} ${what}`)
}

/** A control that doubles nothing proves that the kills hit nothing. */
function expectDoubled(part: string, control: { doubled: number }): void {
  if (!control.doubled) failed.push(`${part}: the control made none twice, so the run proves nothing`)
}

/** Prints how far a part is: on a terminal at each step, in a log twenty times. */
function progress(what: string, of: number): (n: number) => void {
  return (n) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${what}: ${n} of ${of}${n === of ? '\n' : ''}`)
    else if (n % Math.ceil(of / 20) === 0) console.log(`${what}: ${n} of ${of}`)
  }
}

function describeKills({ kills: at, seconds, ...counted }: KillReport | ChargeKillReport) {
  const { before, after, answered, ...others } = at
  return {
    'killed before': before,
    after,
    'at the answer': answered,
    ...others,
    ...counted,
    seconds: Math.round(seconds),
  }
}

function describeStops({ answers, backAfterMs, seconds, ...counted }: StopReport) {
  return {
    ...counted,
    'answered 503': answers['503 server.unavailable'] ?? 0,
    'slowest return (ms)': Math.max(...backAfterMs),
    seconds: Math.round(seconds),
  }
}
