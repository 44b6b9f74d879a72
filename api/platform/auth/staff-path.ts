// The router matches paths in any case.
const STAFF_PATH = /^\/api\/v1\/(super-)?admin(\/|$)/i

/** Whether a path is one of staff or super-admins, known or not. */
export const isStaffPath = (path: string): boolean => STAFF_PATH.test(path)
