import { enqueueDue } from './enqueue-due.ts'
import { remindSubscriber } from './jobs.ts'

/** Enqueues the reminders of all stores that are due. Returns how many. */
export const scanReminders = (): Promise<number> => enqueueDue('reminders_due', remindSubscriber)
