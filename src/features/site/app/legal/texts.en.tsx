import { Link } from 'wouter'
import { brandName } from '#shared/brand.ts'
import { AgeRules, Complaints, DataOfficer, RetentionTable } from './legal-facts.tsx'

export function Privacy() {
  return (
    <>
      <p>
        This page explains which data {brandName} handles, what for, and which choices you have. We follow Indonesia's
        Law No. 27 of 2022 on Personal Data Protection.
      </p>
      <h2>What we keep</h2>
      <ul>
        <li>
          Account: name, email address, birth year (only the year), chosen language, and your password in a form that
          cannot be read back.
        </li>
        <li>
          For users who are minors: the email address of their parent or guardian, and the evidence of the consent.
        </li>
        <li>The photos you send and their results.</li>
        <li>Credit records: when credits came in, when they were spent, and on which tool.</li>
        <li>
          Orders: package, amount, way of paying, the proof of a transfer if you send one, and the company if you want
          it on the invoice.
        </li>
        <li>Sign-in sessions: kind of browser and time, so that your account can be protected.</li>
      </ul>
      <h2>What for</h2>
      <p>
        To make the results you ask for, to count credits, to send the emails that are needed (verification and account
        safety), and to prevent abuse. Your photos do not train any model and are not sold.
      </p>
      <h2>Photos and faces</h2>
      <p>
        Photos may show faces. Tools that look for faces or change them ask for a separate consent before their first
        use; its time and the version of its text are recorded. Photos are currently processed on {brandName}'s own
        server. Location and camera data inside the file are removed from results. Staff do not look at your photos
        unless you ask them to in a report.
      </p>
      <h2>Children</h2>
      <AgeRules>
        {({ minimum, adult, needsGuardian }) => (
          <p>
            We ask for your birth year to protect children, as PP 17/2025 demands. Below {minimum} no account is opened
            and nothing is stored.{' '}
            {needsGuardian && (
              <>
                Below {adult} a parent or guardian must consent first. We record the time, the version of the text and
                their network address. The consent can be revoked at any time by the link in the email; the account is
                then closed and its data are deleted.{' '}
              </>
            )}
            Only adults may change other people's faces.
          </p>
        )}
      </AgeRules>
      <h2>How long</h2>
      <p>You can delete photos and results earlier from your history. We delete the rest ourselves by this table:</p>
      <RetentionTable />
      <ul>
        <li>
          Account: until you delete it. Transaction records are kept as long as the law demands, without names; invoices
          with PPN keep the company and its NPWP.
        </li>
        <li>
          Keyed hashes of your email address and its domain, which do not contain the address: kept after you delete
          your account, so that welcome credits are given once for each mailbox.
        </li>
      </ul>
      <h2>On your device</h2>
      <p>
        So that it works without a connection, the app keeps your sign-in, history, balance and waiting uploads on your
        device. All of it goes when you sign out. We use no advertising trackers. Once a day your device tells us that
        it was used, not by whom; all we keep is the number of devices.
      </p>
      <h2>Your rights</h2>
      <p>
        You may see, correct, copy and delete your data, and withdraw your consent. You can do all of it yourself, at
        any time, on the <Link to="/profile">Account</Link> page: change your name and email, download all your data in
        one ZIP, withdraw your consent about faces, and delete your account with all its photos.
      </p>
      <h2>Data protection officer</h2>
      <p>
        With questions about your data, or if you cannot get into your account, write from your account's address to:
      </p>
      <DataOfficer />
      <p>
        If your data ever leaks, we tell you and the authority within 3 × 24 hours: which data, when, how, and what we
        do about it.
      </p>
      <h2>Complaints</h2>
      <p>Something is wrong with the service, or a photo should not be here? Tell us:</p>
      <Complaints />
    </>
  )
}

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
