#!/bin/sh
# The tour of the README, all of it. A test keeps the two the same.
set -eu

KEY=${EMBOSS_SANDBOX_API_KEY:-my-sandbox-merchant-key}
API=${API:-http://127.0.0.1:8080/api/v1}
call() { curl -sS --fail-with-body -w '\n' -H "x-payments-api-key: $KEY" -H 'content-type: application/json' "$@"; }

CREATED=$(call $API/merchant/cards/ -d @- <<'JSON'
{
  "kycApplicantId": "applicant-1",
  "cardType": "virtual",
  "preferredCardName": "ADA LOVELACE",
  "spendLimit": 250,
  "customerType": "Consumer",
  "kyc": {
    "firstName": "Ada", "lastName": "Lovelace", "dob": "1990-12-10",
    "residentialAddress": {
      "idDocumentType": "passport", "idDocumentNumber": "P1234567",
      "line1": "12 St James Square", "line2": "", "city": "London", "country": "GBR"
    }
  },
  "meta": { "id": "customer-42", "otpPhoneNumber": { "dialCode": 44, "phoneNumber": "7700900123" } }
}
JSON
)
echo "$CREATED"
CARD=$(echo "$CREATED" | sed 's/.*"id":"\([^"]*\)".*/\1/')

call $API/merchant/cards/$CARD/credentials/

APPROVED=$(call $API/sandbox/authorizations/ -d '{"card_id": "'$CARD'", "amount": "12.50"}')
echo "$APPROVED"
TRANSACTION=$(echo "$APPROVED" | sed 's/.*"transaction_id":"\([^"]*\)".*/\1/')

call $API/sandbox/authorizations/ -d '{"card_id": "'$CARD'", "amount": "9999.00"}'

call $API/sandbox/clearings/ -d '{"transaction_id": "'$TRANSACTION'", "amount": "14.00"}'
call $API/merchant/cards/$CARD/transactions/

call $API/sandbox/authorizations/ -d '{"card_id": "'$CARD'", "amount": "20.00", "currency": "USD", "bill_amount": "18.40"}'

DAY=$(call $API/sandbox/clock/ | sed 's/.*"now":"\([^T]*\)T.*/\1/')
call $API/sandbox/clock/ -d '{"advance_seconds": 259200}'
REPORT=$(call "$API/merchant/files/daily/?date=$DAY" | sed 's/.*"reference_id":"\([^"]*\)".*/\1/')
for SECOND in $(seq 60); do
  READY=$(call $API/merchant/files/requests/$REPORT/) || break
  echo "$READY" | grep '"ready"' && break
  sleep 1
done
LINK=$(echo "$READY" | sed 's/.*"link":"\([^"]*\)".*/\1/')
curl -sS --fail-with-body -o report.csv "$LINK" && cat report.csv
