import type { Deps } from '#server/deps.ts'

/**
 * The simulator gives credits away, so requests from other machines do not get it unless
 * ALLOW_SIMULATOR permits. PUBLIC_URL may be missing, so the configuration alone does not suffice.
 */
export function simulatorForThisMachine(deps: Deps): (c: { var: { local: boolean } }) => Deps {
  const { config, log } = deps
  const drivers = config.payment.drivers.filter((driver) => driver !== 'simulator')
  const without = { ...deps, config: { ...config, payment: { ...config.payment, drivers } } }
  let hasWarned = false
  return (c) => {
    const { payment } = config
    if (c.var.local || payment.simulatorForAll || drivers.length === payment.drivers.length) return deps
    if (!hasWarned) {
      hasWarned = true
      log.warn(
        'the payment simulator gives credits away, so it is off for requests from other machines: set PUBLIC_URL to the public address, or ALLOW_SIMULATOR=1 to allow it',
      )
    }
    return without
  }
}
