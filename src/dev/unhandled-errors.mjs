// A reporter of Vitest: errors that belong to no test, which its JSON report leaves out.
import { writeFileSync } from 'node:fs'

export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(errors.map(({ message }) => message)))
  }
}
