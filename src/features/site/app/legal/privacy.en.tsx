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
