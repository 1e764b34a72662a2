// Vitest reporter for errors outside of tests, which the JSON report omits.
import { writeFileSync } from 'node:fs'

export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(errors.map(({ message }) => message)))
  }
}
