// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

/** What each role can do beyond the roles before it. */
export const ROLE_TEXTS = {
  viewer:
    'see cards, customers, transactions, webhook events, reports and settings; save views of lists; choose notifications; check the conditions of rules',
  support:
    'freeze and unfreeze cards; reissue cards; raise limits for a time; change the contact of cardholders; see delivery addresses; verify callers; write notes; request reports; resend webhook events; export lists',
  manager:
    'create cards; block and replace cards; change spend controls; set metadata; adjust balances; approve or reject what others requested; choose how cardholders confirm payments; manage webhook endpoints; manage the decision endpoint of authorizations; test decision endpoints; manage rules and their lists; read the audit log; use the simulator',
  admin:
    'manage people; create programs; deposit and withdraw money; change fees; manage card designs; manage API keys; change the authorization mode; manage the decision endpoints of authentications; set the bounds of temporary limits; set when money needs a second person; set the low-balance alert; approve authentications for cardholders; reveal card numbers for a stored reason',
} as const;
