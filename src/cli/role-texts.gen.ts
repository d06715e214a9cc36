// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

/** What each role can do beyond the roles before it. */
export const ROLE_TEXTS = {
  viewer:
    'see cards, customers, transactions, webhook events, reports and settings; save views of lists; choose how they are notified',
  support:
    'freeze and unfreeze cards; reissue cards; raise limits for a time within a bound; change the contact of cardholders; see delivery addresses; verify a caller by date of birth and address; write notes about customers; request reports; resend webhook events; export lists',
  manager:
    'create cards; block cards permanently and replace blocked ones; change spend controls; adjust balances; approve or reject what another operator requested, if their role allows the change (with the password); change who receives one-time passwords; manage webhook endpoints; change the decision endpoint of authorizations (with the password); test decision endpoints; read the audit log; use the simulator',
  admin:
    'manage people; create programs, with access to all (with the password); deposit and withdraw money (with the password); change fees (with the password); add, change and retire card designs (with the password); manage API keys; change the authorization mode; change the decision endpoints of authentications (with the password); set the bounds of temporary limits; set the amount above which money needs a second person; set the low-balance alert; approve authentications for cardholders; reveal card numbers (with a reason that is stored)',
} as const;
