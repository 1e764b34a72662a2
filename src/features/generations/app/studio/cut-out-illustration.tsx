/** A portrait, half of it already without its background. */
export function CutOutIllustration({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="0 0 240 176" className={className} aria-hidden="true">
      <defs>
        <clipPath id="cut-out-frame">
          <rect x="44" y="10" width="152" height="152" rx="28" />
        </clipPath>
        <pattern id="cut-out-squares" width="20" height="20" patternUnits="userSpaceOnUse" x="120" y="10">
          <rect width="20" height="20" fill="var(--color-base-100)" />
          <path d="M0 0h10v10H0zM10 10h10v10H10z" fill="var(--color-base-300)" />
        </pattern>
      </defs>
      <rect
        x="30"
        y="26"
        width="152"
        height="140"
        rx="28"
        fill="var(--color-primary)"
        opacity="0.16"
        transform="rotate(-7 106 96)"
      />
      <g clipPath="url(#cut-out-frame)">
        <rect x="44" y="10" width="76" height="152" fill="color-mix(in oklab, var(--color-primary) 42%, #f7c66b)" />
        <circle cx="74" cy="46" r="15" fill="#fff3d6" />
        <path
          d="M44 118c18-20 34-22 50-8s20 8 26 4v48H44z"
          fill="color-mix(in oklab, var(--color-primary) 70%, #7a3a20)"
        />
        <rect x="120" y="10" width="76" height="152" fill="url(#cut-out-squares)" />
        <path d="M62 172c2-34 22-52 58-52s56 18 58 52z" fill="#4b3d63" />
        <path d="M106 104h28v22c0 8-6 13-14 13s-14-5-14-13z" fill="#d99b74" />
        <path d="M88 78c0-24 12-40 32-40s32 16 32 40c0 22-14 38-32 38S88 100 88 78z" fill="#efb48c" />
        <path d="M84 84c-6-34 10-56 36-56s42 22 36 56c-4-4-5-12-8-20-12 2-40 0-50-10-4 12-8 22-14 30z" fill="#2c1a14" />
        <path d="M110 98c6 6 14 6 20 0" fill="none" stroke="#9a4f36" strokeWidth="3.5" strokeLinecap="round" />
      </g>
      <path d="M120 2v172" stroke="#fff" strokeWidth="4" />
      <path d="M120 2v172" stroke="var(--color-primary)" strokeWidth="2" strokeDasharray="5 6" strokeLinecap="round" />
      <circle cx="120" cy="146" r="13" fill="#fff" stroke="var(--color-primary)" strokeWidth="2" />
      <path
        d="m116 141-5 5 5 5m8-10 5 5-5 5"
        fill="none"
        stroke="var(--color-primary)"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="m208 34 4 10 10 4-10 4-4 10-4-10-10-4 10-4z" fill="var(--color-primary)" />
      <path
        d="m26 128 2.500 6 6 2.500-6 2.500-2.500 6-2.500-6-6-2.500 6-2.500z"
        fill="var(--color-primary)"
        opacity="0.7"
      />
    </svg>
  )
}
