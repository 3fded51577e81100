"""From the record of choices to tables, trees and cuts: each is made once."""
