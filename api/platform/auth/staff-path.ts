// The router matches paths in any case.
const STAFF_PATH = /^\/api\/v1\/(super-)?admin(\/|$)/i

/** Whether a path is for staff or super-admins, even if no operation has it. */
export const isStaffPath = (path: string): boolean => STAFF_PATH.test(path)
