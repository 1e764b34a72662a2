import { brandName } from '#shared/brand.ts'
import { AgeRules } from './legal-facts.tsx'

export function Terms() {
  return (
    <>
      <p>By using {brandName} you agree to the following. We keep it short so that it can be read.</p>
      <h2>Account</h2>
      <p>
        Use a real email address and guard your password. One account a person. You answer for what is done with it.
      </p>
      <AgeRules>
        {({ minimum, adult, needsGuardian }) => (
          <p>
            Tell your true birth year. You must be at least {minimum}
            {needsGuardian && `, and below ${adult} your parent or guardian must consent`}. Swapping faces and editing
            other people's faces is for users from {adult}.
          </p>
        )}
      </AgeRules>
      <h2>Photos you may use</h2>
      <ul>
        <li>Only photos that are yours, or whose owner allows it.</li>
        <li>The people shown must agree to their face being processed.</li>
        <li>No deceiving, forging identities, humiliating people, or anything against the law.</li>
      </ul>
      <h2>Credits and payment</h2>
      <ul>
        <li>Each tool's price is shown before you press its button. Credits are taken when the work starts.</li>
        <li>If it fails or is cancelled, the credits come back by themselves.</li>
        <li>
          Welcome credits are given once for each mailbox, not to disposable email addresses or those of alias services,
          and to a few mailboxes of a domain of your own.
        </li>
        <li>Package credits last 30 days from payment and do not renew by themselves.</li>
        <li>PREMIUM is unlimited within fair use: 500 results a day.</li>
      </ul>
      <h2>Money back</h2>
      <ul>
        <li>A bad result: ask for its credits back from your history within 24 hours, with the reason.</li>
        <li>Bought by mistake or paid twice: contact us. Money of a double payment is always sent back.</li>
        <li>
          Spent credits are not turned into money. When money is sent back, unspent credits are taken back in
          proportion.
        </li>
        <li>
          Money goes back the way it came where that way can do it, such as QRIS, DANA or GoPay. Otherwise, as with
          virtual accounts, by transfer to your bank account. You get an email with the amount and the transfer's
          number.
        </li>
        <li>Credits given as a gift or by a voucher cannot be turned into money.</li>
      </ul>
      <h2>Results</h2>
      <p>
        Results are yours. Keep a copy, for they are deleted after 30 days. AI can be wrong; check a result before you
        use it for something important.
      </p>
      <h2>The service</h2>
      <p>
        We look after the service as well as we can, but do not promise that it never stops. Accounts that break these
        terms can be disabled. We announce important changes to these terms beforehand. Indonesian law applies.
      </p>
    </>
  )
}
